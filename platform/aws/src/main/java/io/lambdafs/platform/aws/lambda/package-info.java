/** AWS Lambda: functions deployed there. What runs in them is the module functions/lambda, what calls them client-lib/lambda. */
@NullMarked
package io.lambdafs.platform.aws.lambda;

import org.jspecify.annotations.NullMarked;
