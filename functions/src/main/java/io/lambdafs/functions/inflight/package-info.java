/**
 * Counts the operations that an instance has in flight, and tells when those at or below a prefix have ended: a prefix INV waits for
 * that before it is acknowledged (the paper's appendix D; PROTOCOL: R2, S3).
 */
@NullMarked
package io.lambdafs.functions.inflight;

import org.jspecify.annotations.NullMarked;
