/** The length of a bucket of the value index. The sort key of `spans` has the same buckets. */
export const bucketSeconds = 10
export const bucketNs = BigInt(bucketSeconds) * 1_000_000_000n

/** The number of bits at the start of a trace id that select its slot in the value index. */
export const slotBits = 4
export const slotsPerBucket = 2 ** slotBits
