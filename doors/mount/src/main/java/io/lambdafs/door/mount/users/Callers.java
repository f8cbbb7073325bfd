package io.lambdafs.door.mount.users;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.door.mount.wire.Request;
import io.lambdafs.model.inode.Principal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client for each user of the machine who calls, with the groups that the calling thread has, by the cluster's secret.
 * The machine's root is a superuser. At most {@value #MOST}; more are refused. Thread-safe.
 */
public final class Callers implements AutoCloseable {
    private static final int MOST = 1_000;
    private static final String GROUPS_LINE = "Groups:";

    private final Path cluster;
    private final @Nullable Duration deadline;
    private final Accounts users = new Accounts("passwd");
    private final Accounts groups = new Accounts("group");
    private final Map<Identity, LambdaFs> clients = new HashMap<>();
    private final LambdaFs superuser;

    private record Identity(int uid, List<Integer> gids) {}

    /**
     * Opens the client of the machine's root.
     *
     * @param cluster the directory with its {@code client.json}
     * @param deadline of an operation; null for the default
     */
    public Callers(Path cluster, @Nullable Duration deadline) {
        this.cluster = cluster;
        this.deadline = deadline;
        this.superuser = of(new Identity(0, List.of(0)));
    }

    public Accounts users() {
        return users;
    }

    public Accounts groups() {
        return groups;
    }

    /**
     * Returns the client for what a mount does to open files: who may was decided when they were opened. Also for what
     * the kernel does on its own.
     */
    public LambdaFs superuser() {
        return superuser;
    }

    /** Returns the client of the user who makes a call. */
    public LambdaFs of(Request request) {
        if (request.uid() == 0) {
            return superuser;
        }
        Set<Integer> gids = new LinkedHashSet<>();
        gids.add(request.gid());
        gids.addAll(furtherGroups(request.pid()));
        return of(new Identity(request.uid(), List.copyOf(gids)));
    }

    /** @throws ErrnoException {@code EIO} if there are too many */
    private synchronized LambdaFs of(Identity who) {
        LambdaFs known = clients.get(who);
        if (known != null) {
            return known;
        }
        if (clients.size() >= MOST) {
            throw Errno.EIO.failure();
        }
        List<String> names = new ArrayList<>();
        who.gids().forEach(gid -> names.add(groups.name(gid)));
        if (who.uid() == 0) {
            names.add(Principal.SUPERGROUP);
        }
        ClientConfigBuilder builder = ClientConfigBuilder.discover(cluster)
                .user(users.name(who.uid()))
                .groups(names);
        if (deadline != null) {
            builder.set("deadline.ms", Long.toString(deadline.toMillis()));
        }
        LambdaFs made = LambdaFs.open(builder.build());
        clients.put(who, made);
        return made;
    }

    /** Returns the supplementary groups of a thread; none if it is gone. */
    private static List<Integer> furtherGroups(int thread) {
        List<Integer> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(
                    Path.of("/proc", Integer.toString(thread), "status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(GROUPS_LINE)) {
                    for (String gid :
                            line.substring(GROUPS_LINE.length()).strip().split("\\s+")) {
                        if (!gid.isEmpty()) {
                            found.add(Integer.parseUnsignedInt(gid));
                        }
                    }
                }
            }
        } catch (IOException | NumberFormatException gone) {
            return List.of();
        }
        return found;
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(LambdaFs::close);
        clients.clear();
    }
}
