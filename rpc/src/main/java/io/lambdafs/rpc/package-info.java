/**
 * Connections between processes: a narrow {@link io.lambdafs.rpc.Transport} carries request and reply frames, and either
 * end may send requests. The messages are in {@link io.lambdafs.rpc.message}. Which end dialled does not matter: λFS instances open TCP connections back to clients, and the clients then
 * send requests over them (the paper's §3.2).
 */
@NullMarked
package io.lambdafs.rpc;

import org.jspecify.annotations.NullMarked;
