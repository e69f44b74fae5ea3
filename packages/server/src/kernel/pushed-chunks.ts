/** Chunks that arrive by calls, for a consumer that iterates over them. */
export interface PushedChunks {
  chunks: AsyncIterable<Uint8Array>
  /** Resolves when the consumer requests the next chunk; false if the consumer has ended. One call at a time. */
  push(bytes: Uint8Array): Promise<boolean>
  /** Ends the consumer's iteration, with an error if a reason is given. */
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
