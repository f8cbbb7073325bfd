/**
 * The function's entry on AWS Lambda: the handler that its Java runtime calls, one invocation after the other in one process, which is
 * frozen in between. What is served, and how, is the functions' own; here is when an instance takes up its lease, and when it gives it
 * back.
 */
@NullMarked
package io.lambdafs.lambda;

import org.jspecify.annotations.NullMarked;
