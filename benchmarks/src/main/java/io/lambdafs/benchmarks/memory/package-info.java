/**
 * {@code lambdafs bench memory}: measures the metadata cache: bytes per INode in each of its roles, and waits under
 * memory pressure.
 */
@NullMarked
package io.lambdafs.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
