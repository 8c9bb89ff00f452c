//! The bytes of a learned table: a name, a version, small numbers written small, and a checksum.

/// Why some bytes are not the table they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("this is not a {0} table of this version")]
    WrongKind(&'static str),
    #[error("the table ends too early")]
    TooShort,
    #[error("the table goes on after its end")]
    TooLong,
    #[error("the table's checksum is wrong")]
    Damaged,
    #[error("a number in the table is out of range")]
    OutOfRange,
    #[error(transparent)]
    Shape(#[from] crate::shape_tree::ShapeError),
}

const CHECKSUM_BYTES: usize = 8;

/// FNV-1a: finds damage, which is all we ask of it.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

pub(crate) struct TableWriter {
    bytes: Vec<u8>,
}

impl TableWriter {
    pub(crate) fn new(kind: &'static str, version: u32) -> TableWriter {
        let mut writer = TableWriter { bytes: kind.as_bytes().to_vec() };
        writer.number(version);
        writer
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// The whole of a hash.
    pub(crate) fn key(&mut self, key: u64) {
        self.bytes.extend(key.to_le_bytes());
    }

    /// Seven bits a byte, lowest first; the top bit says that more follow.
    pub(crate) fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// The upper half of a float: gammas span many magnitudes and need no more than two digits, and
    /// reading them back gives the same bits on every machine.
    pub(crate) fn gamma(&mut self, gamma: f32) {
        let upper = (gamma.to_bits() + 0x8000) >> 16;
        self.bytes.extend((upper as u16).to_le_bytes());
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sum = checksum(&self.bytes);
        self.bytes.extend(sum.to_le_bytes());
        self.bytes
    }
}

pub(crate) struct TableReader<'a> {
    rest: &'a [u8],
}

impl<'a> TableReader<'a> {
    /// Checks the whole table before anything in it is believed.
    pub(crate) fn new(bytes: &'a [u8], kind: &'static str, version: u32) -> Result<TableReader<'a>, TableError> {
        let rest = bytes.strip_prefix(kind.as_bytes()).ok_or(TableError::WrongKind(kind))?;
        let body_length = bytes.len().checked_sub(CHECKSUM_BYTES).ok_or(TableError::TooShort)?;
        let (body, sum) = bytes.split_at(body_length);
        if checksum(body).to_le_bytes() != sum {
            return Err(TableError::Damaged);
        }
        let body_rest = rest.len().checked_sub(CHECKSUM_BYTES).ok_or(TableError::TooShort)?;
        let mut reader = TableReader { rest: &rest[..body_rest] };
        if reader.number()? != version {
            return Err(TableError::WrongKind(kind));
        }
        Ok(reader)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, TableError> {
        self.bytes().map(|[byte]| byte)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let (&first, rest) = self.rest.split_first_chunk().ok_or(TableError::TooShort)?;
        self.rest = rest;
        Ok(first)
    }

    pub(crate) fn key(&mut self) -> Result<u64, TableError> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub(crate) fn number(&mut self) -> Result<u32, TableError> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = u32::from(self.byte()?);
            number |= (byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(TableError::OutOfRange)
    }

    /// A count of things that take at least a byte each, so a lie cannot make us reserve much.
    pub(crate) fn count(&mut self) -> Result<usize, TableError> {
        let count = self.number()? as usize;
        if count > self.rest.len() { Err(TableError::TooShort) } else { Ok(count) }
    }

    pub(crate) fn gamma(&mut self) -> Result<f32, TableError> {
        let upper = u16::from_le_bytes(self.bytes()?);
        let gamma = f32::from_bits(u32::from(upper) << 16);
        if gamma.is_finite() && gamma > 0.0 { Ok(gamma) } else { Err(TableError::OutOfRange) }
    }

    pub(crate) fn finish(self) -> Result<(), TableError> {
        if self.rest.is_empty() { Ok(()) } else { Err(TableError::TooLong) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_gammas_read_back() {
        let mut writer = TableWriter::new("test", 1);
        let numbers = [0, 1, 127, 128, 300, u32::MAX];
        numbers.iter().for_each(|&n| writer.number(n));
        writer.gamma(0.001);
        writer.gamma(1.0);
        let bytes = writer.finish();
        let mut reader = TableReader::new(&bytes, "test", 1).unwrap();
        for number in numbers {
            assert_eq!(reader.number(), Ok(number));
        }
        assert!((reader.gamma().unwrap() / 0.001 - 1.0).abs() < 0.005);
        assert_eq!(reader.gamma(), Ok(1.0));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn anything_else_is_an_error() {
        let mut writer = TableWriter::new("test", 1);
        writer.number(5);
        let bytes = writer.finish();
        let kind = |bytes: &[u8]| TableReader::new(bytes, "test", 1).err();
        assert_eq!(kind(b""), Some(TableError::WrongKind("test")));
        assert_eq!(kind(b"test"), Some(TableError::TooShort));
        for at in 4..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(kind(&damaged), Some(TableError::Damaged), "byte {at}");
        }
        assert_eq!(TableReader::new(&bytes, "test", 2).err(), Some(TableError::WrongKind("test")));
        assert_eq!(TableReader::new(&bytes, "test", 1).unwrap().finish(), Err(TableError::TooLong));
    }
}
