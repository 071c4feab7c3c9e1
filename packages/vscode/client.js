// A client of a language server over a pair of streams: messages with a header, as in version 3.17 of
// the protocol. It knows nothing of VS Code, so that it can be tested without.
'use strict';

// Messages larger than this are not read: the server never sends them.
const largest = 64 << 20;

class Client {
  // input and output are the streams of the server. notified is called with a method and its params.
  constructor(input, output, notified) {
    this.output = output;
    this.notified = notified;
    this.next = 1;
    this.waiting = new Map();
    this.rest = Buffer.alloc(0);
    input.on('data', (part) => this.read(part));
  }

  send(message) {
    const text = Buffer.from(JSON.stringify({jsonrpc: '2.0', ...message}));
    this.output.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.output.write(text);
  }

  tell(method, params) {
    this.send({method, params});
  }

  ask(method, params) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.send({id, method, params});
    });
  }

  // close refuses what still waits for an answer.
  close(reason) {
    for (const {reject} of this.waiting.values()) {
      reject(new Error(reason));
    }
    this.waiting.clear();
  }

  read(part) {
    this.rest = Buffer.concat([this.rest, part]);
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end < 0) {
        return;
      }
      const header = /^content-length: *(\d+)$/im.exec(this.rest.toString('latin1', 0, end));
      const length = header ? Number(header[1]) : -1;
      if (length < 0 || length > largest) {
        this.rest = Buffer.alloc(0);
        this.close('the answer of avow lsp cannot be read');
        return;
      }
      if (this.rest.length < end + 4 + length) {
        return;
      }
      const text = this.rest.toString('utf8', end + 4, end + 4 + length);
      this.rest = this.rest.subarray(end + 4 + length);
      this.take(JSON.parse(text));
    }
  }

  take(message) {
    if (message.method) {
      this.notified(message.method, message.params);
      return;
    }
    const one = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (one && message.error) {
      one.reject(new Error(message.error.message));
    } else if (one) {
      one.resolve(message.result);
    }
  }
}

module.exports = {Client};
