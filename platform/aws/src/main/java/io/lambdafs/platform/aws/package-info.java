/** AWS around a cluster: the stack that it needs there, made, looked at and removed by CloudFormation, and what it costs. */
@NullMarked
package io.lambdafs.platform.aws;

import org.jspecify.annotations.NullMarked;
