/**
 * Tracks the operations in flight in an instance. A prefix INV is acknowledged only once those at or below the prefix
 * have ended (the paper's appendix D; PROTOCOL: R2, S3).
 */
@NullMarked
package io.lambdafs.functions.inflight;

import org.jspecify.annotations.NullMarked;
