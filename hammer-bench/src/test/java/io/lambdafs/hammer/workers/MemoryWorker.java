package io.lambdafs.hammer.workers;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.tree.MemoryFileSystem;
import io.lambdafs.rpc.auth.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A worker in a process of its own, on a file system in its memory: arguments are the master's port and the secret's text. */
final class MemoryWorker {
    private MemoryWorker() {}

    public static void main(String[] arguments) {
        new Worker(Secret.of(arguments[1]), new MemoryFileSystem(), ClusterProbe.none(), Console.ofProcess(), null)
                .run(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])));
    }
}
