/**
 * Deploys functions on AWS Lambda. They run the module functions/lambda; clients call them through client-lib/lambda.
 */
@NullMarked
package io.lambdafs.deploy.aws.lambda;

import org.jspecify.annotations.NullMarked;
