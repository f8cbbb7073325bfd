/**
 * The embedded function gateway, the default platform of λFS: Apache OpenWhisk's REST API in front of an {@link
 * io.lambdafs.platform.local.pool.InstancePool}, a management API, and the main class {@link
 * io.lambdafs.platform.local.GatewayMain}. Functions deployed here run unchanged on a real OpenWhisk. Clients that have
 * TCP connections to instances do not need the gateway (the paper's §3.2): it wakes and scales functions.
 */
@NullMarked
package io.lambdafs.platform.local;

import org.jspecify.annotations.NullMarked;
