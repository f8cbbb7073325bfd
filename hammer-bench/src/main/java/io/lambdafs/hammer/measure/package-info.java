/**
 * The common parts of measurements of a running cluster: files and operations in flight to measure with, processes that
 * measure, and summaries of samples.
 */
@NullMarked
package io.lambdafs.hammer.measure;

import org.jspecify.annotations.NullMarked;
