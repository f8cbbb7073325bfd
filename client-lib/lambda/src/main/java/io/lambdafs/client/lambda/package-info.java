/**
 * The client's calls to functions on AWS Lambda: a jar for the class path of programs, which needs the client and the
 * signing part of AWS's SDK.
 */
@NullMarked
package io.lambdafs.client.lambda;

import org.jspecify.annotations.NullMarked;
