/**
 * Measures the benefit of a client's measures against long tails: straggler mitigation and anti-thrashing mode (the
 * paper's appendices B and C), each switched off and on in turns under the same load on the same cluster.
 */
@NullMarked
package io.lambdafs.hammer.tail;

import org.jspecify.annotations.NullMarked;
