/** Tells that bytes came, however many. */
export type Pulse = {
  beat(): void;
  /** Resolves at a beat since the last `rest`. */
  next(): Promise<'beat'>;
  rest(): void;
};

export function createPulse(): Pulse {
  let beat = () => {};
  let beaten = Promise.resolve<'beat'>('beat');
  const rest = () => {
    beaten = new Promise((resolve) => {
      beat = () => resolve('beat');
    });
  };
  rest();
  return { beat: () => beat(), next: () => beaten, rest };
}

/** A `fetch` that calls `onBytes` when the headers of an answer come and with every chunk of its body. */
export function tapFetch(onBytes: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    onBytes();
    if (response.body === null) return response;
    const reader = response.body.getReader();
    // Lighter than a TransformStream, which is two streams with a queue between them.
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          onBytes();
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
