/** Measures the cost of AWS Lambda's two ways of serving, on its own Java runtime with a stand-in for its platform. */
@NullMarked
package io.lambdafs.hammer.lambda;

import org.jspecify.annotations.NullMarked;
