/**
 * The function's entry on AWS Lambda: a handler called for one invocation at a time in a process that is frozen in
 * between. It decides when an instance acquires and releases its lease; serving itself is shared with all platforms.
 */
@NullMarked
package io.lambdafs.lambda;

import org.jspecify.annotations.NullMarked;
