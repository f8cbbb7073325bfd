/**
 * One instance's side of the coherence protocol (the paper's §3.5 and algorithm 1): who must be told of a change, and what is done
 * when told.
 */
@NullMarked
package io.lambdafs.functions.coherence;

import org.jspecify.annotations.NullMarked;
