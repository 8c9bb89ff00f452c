//! The words and numbers of a net file, one after the other, whatever it is packed in.
//!
//! Nothing is trusted: a word has a largest length, and the floats of all blocks together a largest number, known before any is read.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::ReadError;

/// The longest word that can be a name.
const LONGEST_WORD: usize = 200;
/// The largest net, in floats: more than twice the largest that KataGo's project has published.
const MOST_FLOATS: usize = 250_000_000;
/// Weights hardly shrink when packed. What unpacks to more floats than this per byte is no net.
const FLOATS_PER_PACKED_BYTE: usize = 16;
/// Floats read at once, so that memory is taken only for what is there.
const STEP: usize = 1 << 14;

pub struct Stream<'a> {
    source: Box<dyn BufRead + 'a>,
    floats_left: usize,
    floats_read: usize,
    /// The layer being read, for whoever must say what is wrong.
    place: String,
}

impl<'a> Stream<'a> {
    pub fn new(file: &'a [u8]) -> Stream<'a> {
        let source: Box<dyn BufRead + 'a> = if file.starts_with(&[0x1f, 0x8b]) {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        let floats_left = file.len().saturating_mul(FLOATS_PER_PACKED_BYTE).min(MOST_FLOATS);
        Stream { source, floats_left, floats_read: 0, place: "its header".to_string() }
    }

    /// How many floats were read so far.
    pub fn numbers(&self) -> usize {
        self.floats_read
    }

    /// A fault of what is being read now.
    pub fn fault(&self, what: impl Into<String>) -> ReadError {
        ReadError::Layer { place: self.place.clone(), what: what.into() }
    }

    fn broken(&self, error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::Ends { place: self.place.clone() },
            _ => ReadError::Packing { place: self.place.clone(), error },
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        match self.source.fill_buf() {
            Ok(buffer) => Ok(buffer.first().copied()),
            Err(error) => Err(self.broken(error)),
        }
    }

    fn skip_white(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.source.consume(1),
                other => return Ok(other),
            }
        }
    }

    pub fn word(&mut self) -> Result<String, ReadError> {
        let mut word = String::new();
        self.skip_white()?;
        while let Some(byte) = self.peek()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if !byte.is_ascii_graphic() || word.len() == LONGEST_WORD {
                return Err(self.fault(format!("there is no readable word after `{}`", shortened(&word))));
            }
            word.push(byte.into());
            self.source.consume(1);
        }
        if word.is_empty() { Err(ReadError::Ends { place: self.place.clone() }) } else { Ok(word) }
    }

    /// The name of a layer, which is where we are from now on.
    pub fn name(&mut self) -> Result<String, ReadError> {
        let name = self.word()?;
        self.place = format!("layer {}", shortened(&name));
        Ok(name)
    }

    pub fn integer(&mut self, what: &str) -> Result<i64, ReadError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.fault(format!("{what} is `{}`, not a whole number", shortened(&word))))
    }

    /// A number of things, at least one.
    pub fn size(&mut self, what: &str, most: usize) -> Result<usize, ReadError> {
        let number = self.integer(what)?;
        match usize::try_from(number) {
            Ok(size) if (1..=most).contains(&size) => Ok(size),
            _ => Err(self.fault(format!("{what} is {number}, not between 1 and {most}"))),
        }
    }

    pub fn flag(&mut self, what: &str) -> Result<bool, ReadError> {
        match self.integer(what)? {
            0 => Ok(false),
            1 => Ok(true),
            number => Err(self.fault(format!("{what} is {number}, not 0 or 1"))),
        }
    }

    /// Fields that are kept for things this program does not know.
    pub fn zeros(&mut self, count: usize) -> Result<(), ReadError> {
        for _ in 0..count {
            let number = self.integer("a field kept for later versions")?;
            if number != 0 {
                return Err(self.fault(format!("a field kept for later versions is {number}, not 0")));
            }
        }
        Ok(())
    }

    pub fn float(&mut self, what: &str) -> Result<f32, ReadError> {
        let word = self.word()?;
        match word.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.fault(format!("{what} is `{}`, not a finite number", shortened(&word)))),
        }
    }

    /// A block of floats, whose number follows from the sizes read before.
    pub fn floats(&mut self, sizes: &[usize]) -> Result<Vec<f32>, ReadError> {
        let count = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let count = count
            .filter(|&count| count <= self.floats_left)
            .ok_or_else(|| ReadError::TooLarge { place: self.place.clone(), floats_left: self.floats_left })?;
        self.floats_left -= count;
        self.floats_read += count;
        let floats = if self.skip_white()? == Some(b'@') { self.packed(count)? } else { self.written(count)? };
        match floats.iter().all(|float| float.is_finite()) {
            true => Ok(floats),
            false => Err(self.fault("it has a weight that is not a finite number")),
        }
    }

    fn packed(&mut self, count: usize) -> Result<Vec<f32>, ReadError> {
        let mut mark = [0; 5];
        self.exactly(&mut mark)?;
        if &mark != b"@BIN@" {
            return Err(self.fault("its weights do not begin with @BIN@"));
        }
        let (mut floats, mut bytes) = (Vec::new(), [0; 4 * STEP]);
        while floats.len() < count {
            let step = &mut bytes[..4 * STEP.min(count - floats.len())];
            self.exactly(step)?;
            floats.extend(step.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)));
        }
        floats.shrink_to_fit();
        Ok(floats)
    }

    fn written(&mut self, count: usize) -> Result<Vec<f32>, ReadError> {
        (0..count).map(|_| self.float("a weight")).collect()
    }

    fn exactly(&mut self, bytes: &mut [u8]) -> Result<(), ReadError> {
        self.source.read_exact(bytes).map_err(|error| self.broken(error))
    }

    /// Nothing but white space may follow. Reading to the end also checks the packing's own checksum.
    pub fn end(&mut self) -> Result<(), ReadError> {
        self.place = "its end".to_string();
        match self.skip_white()? {
            None => Ok(()),
            Some(_) => Err(self.fault("something follows the last layer")),
        }
    }
}

/// A word of a file as we may print it.
fn shortened(word: &str) -> String {
    word.chars().take(60).collect()
}
