// One WebSocket, kept alive: requests are promises, everything else goes to `receive`. A lost server is waited for.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const PING_EVERY = 25_000;

export class Refused extends Error {
  constructor(message) {
    super(message.text ?? message.code ?? message.reason);
    this.answer = message;
  }
}

export class Connection {
  /** `receive(message)` hears everything the server says, `change(isOpen)` when the line is up or down. */
  constructor({ receive, change }) {
    this.receive = receive;
    this.change = change;
    this.waiting = new Map();
    this.serial = 0;
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.open();
    setInterval(() => this.isOpen() && this.ask({ type: "ping" }).catch(() => {}), PING_EVERY);
    // A tab that wakes up should not sit out a long wait.
    document.addEventListener("visibilitychange", () => !document.hidden && this.retryNow());
    window.addEventListener("online", () => this.retryNow());
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.change(true);
    };
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => this.lost();
  }

  isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  retryNow() {
    if (this.timer !== null) this.open();
  }

  lost() {
    for (const { reject } of this.waiting.values()) reject(new Refused({ code: "connection" }));
    this.waiting.clear();
    this.change(false);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
  }

  hear(message) {
    const request = this.waiting.get(message.re);
    const settles = ["done", "error", "illegal"].includes(message.type);
    if (request && settles) {
      this.waiting.delete(message.re);
      if (message.type === "done") request.resolve(message);
      else request.reject(new Refused(message));
      return;
    }
    this.receive(message);
  }

  /** Sends a request; resolves when it is done, rejects with `Refused`. */
  ask(request) {
    if (!this.isOpen()) return Promise.reject(new Refused({ code: "connection" }));
    const re = ++this.serial;
    this.socket.send(JSON.stringify({ ...request, re }));
    return new Promise((resolve, reject) => this.waiting.set(re, { resolve, reject }));
  }
}
