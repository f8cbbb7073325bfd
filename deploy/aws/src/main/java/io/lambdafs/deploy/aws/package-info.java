/**
 * The AWS resources of a cluster: creates, shows and removes its stack through CloudFormation, and estimates its cost.
 */
@NullMarked
package io.lambdafs.deploy.aws;

import org.jspecify.annotations.NullMarked;
