/**
 * Measures that a subtree operation costs the same whatever the subtree's size, and that readers see it entirely or not at all (the
 * paper's Appendix D, and its figure 14's question).
 */
@NullMarked
package io.lambdafs.benchmarks.subtree;

import org.jspecify.annotations.NullMarked;
