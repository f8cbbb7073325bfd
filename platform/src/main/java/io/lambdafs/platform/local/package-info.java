/**
 * The embedded function gateway, the default platform of λFS: Apache OpenWhisk's REST API in front of an
 * {@link io.lambdafs.platform.local.pool.InstancePool}, a management API beside it, and the process entry
 * {@link io.lambdafs.platform.local.GatewayMain}. What is deployed here runs unchanged on a real OpenWhisk. Clients that have
 * TCP connections to instances do not need the gateway (the paper's §3.2): it is asked to wake and to scale functions.
 */
@NullMarked
package io.lambdafs.platform.local;

import org.jspecify.annotations.NullMarked;
