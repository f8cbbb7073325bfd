package io.lambdafs.cluster;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.dump.Snapshot;
import io.lambdafs.cluster.secure.Certificates;
import io.lambdafs.cluster.settings.BlockAccess;
import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.cluster.settings.BlockSettings;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.store.DistantStore;
import io.lambdafs.cluster.store.StoreAccess;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.Folders;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.Draining;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that runs elsewhere: its store is reached at its address, and its block stores are opened at theirs. Not
 * thread-safe.
 */
public final class DistantCluster implements OperatedCluster {
    private static final String LOCAL = "local";

    private final String name;
    private final StoreAccess store;
    private final BlockSettings blocks;
    private final DistantStore told;

    private DistantCluster(String name, StoreAccess store, BlockSettings blocks, DistantStore told) {
        this.name = name;
        this.store = store;
        this.blocks = blocks;
        this.told = told;
    }

    /**
     * Returns the cluster of a client's directory, or at an address.
     *
     * @param directory null if only the address counts
     * @throws FsException {@code INVALID_ARGUMENT} if the store's address or its secret is not known
     */
    public static DistantCluster of(@Nullable ClusterDirectory directory, DistantStore told) {
        ClusterSettings settings = directory == null
                ? ClusterSettings.defaults()
                : new LocalCluster(directory, Console.ofProcess()).settings(LocalCluster.StartOptions.none());
        String address = told.store().isEmpty() ? settings.store().address() : told.store();
        if (address.isEmpty()) {
            throw invalid(directory + " does not say where the cluster's store is: deploy again, which writes it there,"
                    + " or give --store HOST:PORT");
        }
        StoreAccess access = new StoreAccess(
                addresses(address), tls(directory, settings, told).map(Tls::of), tokens(directory, told));
        String name = directory == null ? "the cluster at " + address : "the cluster of " + directory;
        return new DistantCluster(name, access, settings.blocks(), told);
    }

    private static List<InetSocketAddress> addresses(String address) {
        try {
            return Hosts.addresses(address);
        } catch (IllegalArgumentException e) {
            throw invalid("--store: " + e.getMessage());
        }
    }

    private static Optional<TlsFiles> tls(
            @Nullable ClusterDirectory directory, ClusterSettings settings, DistantStore told) {
        DistantStore.TlsOf given = told.tls();
        if (given != null) {
            return TlsFiles.ofService(
                    given.ca().toString(),
                    given.certificate().toString(),
                    given.key().toString());
        }
        return directory == null
                ? Optional.empty()
                : Certificates.files(directory, settings, Certificates.Role.OPERATOR);
    }

    private static Tokens tokens(@Nullable ClusterDirectory directory, DistantStore told) {
        if (told.secretFile() != null) {
            return Tokens.signed(Secret.load(told.secretFile()));
        }
        if (directory == null) {
            throw invalid("--store needs --secret-file FILE, the cluster's secret");
        }
        if (!Files.exists(directory.client())) {
            return Tokens.signed(Secret.load(directory.secret()));
        }
        ClientConfig client = ClientConfig.load(directory.client());
        Secret secret = client.secret();
        if (secret == null && !client.insecure()) {
            throw invalid(directory.client() + " has a user's token and no secret: give --secret-file FILE");
        }
        return secret == null ? Tokens.insecure() : Tokens.signed(secret);
    }

    private static FsException invalid(String why) {
        return FsException.invalidArgument(why);
    }

    @Override
    public <T> T onStore(String what, Function<MetadataStore, CompletionStage<T>> step) {
        try {
            return store.ask(what, step);
        } catch (FsException e) {
            throw explained(e);
        }
    }

    @Override
    public <T> T withStore(Function<MetadataStore, T> step) {
        // An unreachable store is noticed at once, not by each request of the action.
        onStore("reach the store", reached -> CompletableFuture.completedFuture(true));
        return store.with(step);
    }

    /** Adds advice about a store that does not answer here. */
    private FsException explained(FsException e) {
        return switch (e.code()) {
            case TIMED_OUT, UNAVAILABLE, CONNECTION_LOST ->
                FsException.unavailable(
                        e.getMessage() + "; where the store's address is of its platform's own network, run the command"
                                + " there, as a Job of the chart (docs/OPERATIONS.md)",
                        e);
            default -> e;
        };
    }

    @Override
    public <T> T rows(Function<Iterable<Row>, T> reader) {
        return withStore(found -> Snapshot.read(found, reader));
    }

    @Override
    public List<String> blockStores() {
        return onStore("list the datanodes", Draining::list).stream()
                .map(Datanode::store)
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public BlockAccess blocks() {
        List<String> names = blockStores();
        Map<String, String> places = new LinkedHashMap<>();
        for (String each : said()) {
            int equals = each.indexOf('=');
            String called = each.substring(0, Math.max(0, equals));
            boolean isNamed = names.contains(called) || (names.isEmpty() && called.matches("[^/]+"));
            places.put(isNamed ? called : nameOf(each, names), isNamed ? each.substring(equals + 1) : each);
        }
        for (String each : names) {
            if (!places.containsKey(each)) {
                if (!each.contains(BlockSettings.REMOTE)) {
                    throw invalid("where are the objects of the block store \"" + each + "\"? Give --blocks " + each
                            + "=PLACE, the datanodes' directory or bucket: "
                            + Launcher.command("datanode", "list") + " names the block stores");
                }
                places.put(each, each);
            }
        }
        return new BlockAccess(
                places.entrySet().stream()
                        .map(each -> new BlockPlace(each.getKey(), each.getValue()))
                        .toList(),
                told.endpoint().isEmpty() ? blocks.endpoint() : told.endpoint(),
                blocks.encryption(),
                scratch());
    }

    /** Returns the places in the options, else in the directory's settings. */
    private List<String> said() {
        if (!told.places().isEmpty()) {
            return told.places();
        }
        List<String> said = new ArrayList<>();
        if (!blocks.place().isEmpty()) {
            said.add(blocks.place());
        }
        blocks.stores().forEach((policy, place) -> said.add(StoragePolicies.store(policy) + "=" + place));
        return said;
    }

    /** Returns the block store of a place without a name: the only one, or the one named after the place. */
    private static String nameOf(String place, List<String> names) {
        if (names.size() == 1) {
            return names.get(0);
        }
        return place.contains(BlockSettings.REMOTE) ? place : LOCAL;
    }

    private static Path scratch() {
        try {
            Path folder = Files.createTempDirectory("lambdafs-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    Folders.delete(folder);
                } catch (IOException e) {
                    // The system clears its temporary files.
                }
            }));
            return folder;
        } catch (IOException e) {
            throw new FsException(ErrorCode.INTERNAL, "cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    /** Returns the store servers' addresses. */
    String storeAddress() {
        return store.where();
    }

    @Override
    public String toString() {
        return name;
    }
}
