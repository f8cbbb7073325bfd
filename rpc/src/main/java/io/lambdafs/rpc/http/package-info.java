/**
 * A small asynchronous HTTP/1.1 server on Netty: what the function gateway, the action protocol of an instance and every
 * {@code /metrics} and {@code /healthz} page speak. Bodies, headers, connections, requests in flight and idle time are
 * bounded. It is the HTTP half of the paper's hybrid RPC (§3.2). Its client end is on Netty too: in a process that speaks TCP already, the
 * first call of the JDK's client takes six times as long, and every further one about twice (PERFORMANCE).
 */
@NullMarked
package io.lambdafs.rpc.http;

import org.jspecify.annotations.NullMarked;
