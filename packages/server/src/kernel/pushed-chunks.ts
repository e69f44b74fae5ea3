/** Chunks that arrive by calls, for a consumer that iterates over them. */
export interface PushedChunks {
  chunks: AsyncIterable<Uint8Array>
  /** Resolves when the consumer asks for the next chunk; false if it has ended and wants no more. One call at a time. */
  push(bytes: Uint8Array): Promise<boolean>
  /** The consumer gets the end, or an error if there is a reason. */
  end(reason?: Error): void
}

interface Chunk {
  bytes: Uint8Array
  taken: PromiseWithResolvers<boolean>
}

export function createPushedChunks(): PushedChunks {
  let next = Promise.withResolvers<Chunk | undefined>()
  let hasEnded = false

  async function* iterate(): AsyncGenerator<Uint8Array> {
    try {
      for (let chunk = await next.promise; chunk; chunk = await next.promise) {
        next = Promise.withResolvers()
        let wantsMore = false
        try {
          yield chunk.bytes
          wantsMore = true
        } finally {
          chunk.taken.resolve(wantsMore)
        }
      }
    } finally {
      hasEnded = true
    }
  }

  return {
    chunks: iterate(),
    async push(bytes) {
      if (hasEnded) return false
      const taken = Promise.withResolvers<boolean>()
      next.resolve({ bytes, taken })
      return taken.promise
    },
    end(reason) {
      if (!reason) return next.resolve(undefined)
      // The consumer may have ended, or may still be busy with the previous chunk.
      next.promise.catch(() => {})
      next.reject(reason)
    },
  }
}
