// Lines for a worker that can read them while it computes: a ring of bytes that two threads share.

/** Bytes of the ring; a power of two. */
const ROOM = 1 << 18;
/** The places of the numbers of all bytes that were ever written and read. */
const WRITTEN = 0;
const READ = 1;
const HEAD_BYTES = 8;
/** Before each line: its length, and the moment at which it was put in. */
const RECORD_BYTES = 12;

/** The milliseconds of now, the same in all threads. */
const now = () => performance.timeOrigin + performance.now();

/** One thread puts lines in, another takes them out. */
export class Mailbox {
  /** @param {SharedArrayBuffer} [buffer] of the same mailbox elsewhere */
  constructor(buffer = new SharedArrayBuffer(HEAD_BYTES + ROOM)) {
    this.buffer = buffer;
    this.head = new Int32Array(buffer, 0, 2);
    this.bytes = new Uint8Array(buffer, HEAD_BYTES);
    this.record = new DataView(new ArrayBuffer(RECORD_BYTES));
    /** The milliseconds that the line that was taken last had waited. */
    this.age = 0;
  }

  /** Puts a line in; returns false if there is no room now. @param {Uint8Array} line */
  put(line) {
    const written = Atomics.load(this.head, WRITTEN);
    const used = (written - Atomics.load(this.head, READ)) | 0;
    if (used + RECORD_BYTES + line.length > ROOM) return false;
    this.record.setUint32(0, line.length);
    this.record.setFloat64(4, now());
    for (let i = 0; i < RECORD_BYTES; i++) this.bytes[(written + i) & (ROOM - 1)] = this.record.getUint8(i);
    const at = (written + RECORD_BYTES) & (ROOM - 1);
    const first = line.subarray(0, ROOM - at);
    this.bytes.set(first, at);
    this.bytes.set(line.subarray(first.length), 0);
    Atomics.store(this.head, WRITTEN, (written + RECORD_BYTES + line.length) | 0);
    Atomics.notify(this.head, WRITTEN);
    return true;
  }

  /** Waits until there is a line, so many milliseconds at most. @param {number} ms */
  wait(ms) {
    Atomics.wait(this.head, WRITTEN, Atomics.load(this.head, READ), ms);
  }

  /** Takes the next line out, as much of it as `room` holds; returns its bytes, or -1. @param {Uint8Array} room */
  take(room) {
    const read = Atomics.load(this.head, READ);
    if (read === Atomics.load(this.head, WRITTEN)) return -1;
    for (let i = 0; i < RECORD_BYTES; i++) this.record.setUint8(i, this.bytes[(read + i) & (ROOM - 1)]);
    const length = this.record.getUint32(0);
    this.age = Math.max(0, now() - this.record.getFloat64(4));
    const at = (read + RECORD_BYTES) & (ROOM - 1);
    const kept = Math.min(length, room.length);
    const first = this.bytes.subarray(at, Math.min(at + kept, ROOM));
    room.set(first, 0);
    room.set(this.bytes.subarray(0, kept - first.length), first.length);
    Atomics.store(this.head, READ, (read + RECORD_BYTES + length) | 0);
    return kept;
  }
}
