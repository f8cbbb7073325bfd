/**
 * An instance as a process. {@link InstanceRuntime}, {@link InstanceConfiguration}, {@link InstanceJvm} and {@link
 * Rehearsal} serve every platform. {@link ActionMain}, {@link ActionServer}, {@link InitCall} and {@link RunCall} are
 * the entry for Apache OpenWhisk's action protocol: {@code POST /init} once, then {@code POST /run}, several at once,
 * with the calling client's TCP servers in the body. The local gateway, Knative, Nuclio and Kubernetes use it too.
 * {@link InvokedFunction} is the entry for a platform that calls a handler, as AWS Lambda does. The package is named
 * after its first platform. It is the only one in the functions where code may block.
 */
@NullMarked
package io.lambdafs.functions.openwhisk;

import org.jspecify.annotations.NullMarked;
