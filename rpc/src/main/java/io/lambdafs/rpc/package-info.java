/**
 * Messages between processes: a compact binary codec of registered types, and a narrow {@link
 * io.lambdafs.rpc.Transport} that carries request and reply frames over connections on which either end may send
 * requests. Which end dialled does not matter: λFS instances open TCP connections back to clients, and the clients then
 * send requests over them (the paper's §3.2).
 */
@NullMarked
package io.lambdafs.rpc;

import org.jspecify.annotations.NullMarked;
