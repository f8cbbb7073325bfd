/**
 * {@code lambdafs bench scattered}: measures whether the embedded store keeps its pace as the namespace grows, with
 * creates scattered over many directories.
 */
@NullMarked
package io.lambdafs.benchmarks.scattered;

import org.jspecify.annotations.NullMarked;
