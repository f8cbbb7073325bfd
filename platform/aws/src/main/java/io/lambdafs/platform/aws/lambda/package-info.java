/** AWS Lambda: functions called there by clients. What runs in them is the module functions/lambda. */
@NullMarked
package io.lambdafs.platform.aws.lambda;

import org.jspecify.annotations.NullMarked;
