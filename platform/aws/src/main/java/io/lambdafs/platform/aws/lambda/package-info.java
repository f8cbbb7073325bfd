/** AWS Lambda: functions deployed there, by AWS's SDK, and called by clients. What runs in them is the module functions/lambda. */
@NullMarked
package io.lambdafs.platform.aws.lambda;

import org.jspecify.annotations.NullMarked;
