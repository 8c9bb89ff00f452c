// Where things are on the board, in the board's own units. One cell is 40 units wide; points are numbered row by row
// from the top left, as on the wire.

export const CELL = 40;
export const COLUMNS = "ABCDEFGHJKLMNOPQRST";

export class Geometry {
  constructor(size, coordinates) {
    this.size = size;
    this.margin = CELL * (coordinates ? 1.15 : 0.8);
    this.span = (size - 1) * CELL;
    this.extent = this.span + 2 * this.margin;
  }

  x(point) {
    return this.margin + (point % this.size) * CELL;
  }

  y(point) {
    return this.margin + Math.floor(point / this.size) * CELL;
  }

  /** The point at a place given in board units, or null when it is off the board. */
  at(x, y) {
    const column = Math.round((x - this.margin) / CELL);
    const row = Math.round((y - this.margin) / CELL);
    const inside = (n) => n >= 0 && n < this.size;
    return inside(column) && inside(row) ? row * this.size + column : null;
  }
}

/** "D4" for a point; "pass" is the caller's word. */
export function pointName(point, size) {
  return COLUMNS[point % size] + (size - Math.floor(point / size));
}

export function starPoints(size) {
  if (size < 7) return size % 2 === 1 && size > 3 ? [((size * size) - 1) / 2] : [];
  const near = size < 13 ? 2 : 3;
  const far = size - 1 - near;
  const middle = (size - 1) / 2;
  const at = (column, row) => row * size + column;
  const stars = [at(near, near), at(far, near), at(near, far), at(far, far)];
  if (size % 2 === 1) {
    stars.push(at(middle, middle));
    if (size >= 15) stars.push(at(near, middle), at(far, middle), at(middle, near), at(middle, far));
  }
  return stars;
}
