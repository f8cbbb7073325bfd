/**
 * One instance's side of the coherence protocol (the paper's §3.5 and algorithm 1): which members to invalidate before
 * a change, and how to handle their invalidations.
 */
@NullMarked
package io.lambdafs.functions.coherence;

import org.jspecify.annotations.NullMarked;
