/**
 * Which operations an instance has under way, and when those at or below a prefix have ended: what an INV of a subtree waits for
 * before it is acknowledged (the paper's appendix D; PROTOCOL: subtree operations, step 2).
 */
@NullMarked
package io.lambdafs.functions.inflight;

import org.jspecify.annotations.NullMarked;
