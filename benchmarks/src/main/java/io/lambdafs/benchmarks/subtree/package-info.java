/**
 * {@code lambdafs bench subtree}: measures that the cost of a subtree operation does not depend on the subtree's size,
 * and that readers see it entirely or not at all (the paper's Appendix D and figure 14).
 */
@NullMarked
package io.lambdafs.benchmarks.subtree;

import org.jspecify.annotations.NullMarked;
