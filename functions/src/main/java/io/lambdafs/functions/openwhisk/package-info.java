/**
 * An instance as a process. {@link InstanceRuntime}, {@link InstanceConfiguration}, {@link InstanceJvm} and {@link Rehearsal} serve every
 * platform. {@link ActionMain}, {@link ActionServer}, {@link InitCall} and {@link RunCall} are the entry by Apache OpenWhisk's action protocol:
 * {@code POST /init} once, then {@code POST /run}, several at once, with the TCP servers of the calling client in the body. The local gateway,
 * Knative, Nuclio and Kubernetes speak it as well. {@link InvokedFunction} is the entry for a platform that calls a handler, as AWS Lambda
 * does. The package has the name of its first platform. Here alone in the functions may anything block.
 */
@NullMarked
package io.lambdafs.functions.openwhisk;

import org.jspecify.annotations.NullMarked;
