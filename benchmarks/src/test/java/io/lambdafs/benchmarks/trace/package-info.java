@org.jspecify.annotations.NullMarked
package io.lambdafs.benchmarks.trace;
