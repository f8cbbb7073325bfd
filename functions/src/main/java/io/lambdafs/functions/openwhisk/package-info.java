/**
 * Apache OpenWhisk's action protocol, as an instance serves it: {@code POST /init} once, then {@code POST /run}, several
 * at once, with the calling client's TCP servers in the body. The local gateway, Knative, Nuclio and Kubernetes use it
 * too.
 */
@NullMarked
package io.lambdafs.functions.openwhisk;

import org.jspecify.annotations.NullMarked;
