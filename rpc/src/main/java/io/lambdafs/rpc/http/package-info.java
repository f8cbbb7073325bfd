/**
 * A small asynchronous HTTP/1.1 server and client on Netty, for the function gateway, the instances' action protocol
 * and every {@code /metrics} and {@code /healthz} page. Bodies, headers, connections, requests in flight and idle time
 * are bounded. It is the HTTP half of the paper's hybrid RPC (§3.2). The client is on Netty too: in a process that
 * already uses it for TCP, the first call of the JDK's client takes six times as long, and every further one about
 * twice (PERFORMANCE).
 */
@NullMarked
package io.lambdafs.rpc.http;

import org.jspecify.annotations.NullMarked;
