/**
 * What measurements of a running cluster share: files and operations in flight to measure with, processes that measure by themselves,
 * and samples in few numbers.
 */
@NullMarked
package io.lambdafs.hammer.measure;

import org.jspecify.annotations.NullMarked;
