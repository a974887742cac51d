/**
 * The editor writes its logs, and every extension's log channel, with a native module that npm does not deliver. This is
 * put in its place, so that logs are there to read. Same interface; files do not rotate.
 */
const fs = require('node:fs');
const path = require('node:path');

const levels = /** @type {const} */ (['trace', 'debug', 'info', 'warning', 'error', 'critical']);

/** @param {number} value @param {number} [length] */
const digits = (value, length = 2) => String(value).padStart(length, '0');

/** 2026-01-31 12:00:00.000, local time, as the editor's log viewer expects it. */
function timestamp() {
  const now = new Date();
  const day = [digits(now.getFullYear(), 4), digits(now.getMonth() + 1), digits(now.getDate())].join('-');
  const time = [digits(now.getHours()), digits(now.getMinutes()), digits(now.getSeconds())].join(':');
  return `${day} ${time}.${digits(now.getMilliseconds(), 3)}`;
}

class Logger {
  #file;
  #level = 2;
  #isRaw = false;

  /**
   * @param {string} _type
   * @param {string} _name
   * @param {string} file
   */
  constructor(_type, _name, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#file = file;
  }

  /** @param {number} level @param {string} message */
  #write(level, message) {
    if (level < this.#level) return;
    const text = this.#isRaw ? message : `${timestamp()} [${levels[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.#file, text);
    } catch {
      // The folder can go while the editor ends; a log must not stop it.
    }
  }

  /** @param {string} message */
  trace(message) {
    this.#write(0, message);
  }

  /** @param {string} message */
  debug(message) {
    this.#write(1, message);
  }

  /** @param {string} message */
  info(message) {
    this.#write(2, message);
  }

  /** @param {string} message */
  warn(message) {
    this.#write(3, message);
  }

  /** @param {string} message */
  error(message) {
    this.#write(4, message);
  }

  /** @param {string} message */
  critical(message) {
    this.#write(5, message);
  }

  getLevel() {
    return this.#level;
  }

  /** @param {number} level */
  setLevel(level) {
    this.#level = level;
  }

  setPattern() {}

  /** From here on messages are written as they are. */
  clearFormatters() {
    this.#isRaw = true;
  }

  flush() {}

  drop() {}
}

/**
 * @param {string} name
 * @param {string} file
 */
const createLogger = async (name, file) => new Logger('rotating', name, file);

exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
