package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.ActionJson;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.pool.RegisteredAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions that a gateway knows before it listens: given ones, or those in a file of its directory, which keeps what is
 * registered until the gateway ends in order, so that one started after a kill knows what the one before knew. The file
 * is readable by its owner only. Confined to one thread at a time.
 */
public final class KnownActions {
    private static final Logger LOG = LoggerFactory.getLogger(KnownActions.class);
    private static final String FILE = "actions.json";

    private final List<ActionSpec> given;
    private final @Nullable Path directory;

    private KnownActions(List<ActionSpec> given, @Nullable Path directory) {
        this.given = List.copyOf(given);
        this.directory = directory;
    }

    /** Returns given actions, which are not kept. */
    public static KnownActions of(List<ActionSpec> given) {
        return new KnownActions(given, null);
    }

    /** Returns those that are kept in a gateway's directory. */
    public static KnownActions in(Path directory) {
        return new KnownActions(List.of(), directory);
    }

    /**
     * Registers them.
     *
     * @throws IllegalArgumentException if a given one exceeds a limit
     */
    void registerAt(ActionRegistry registry, long nowMillis) {
        given.forEach(spec -> registry.restore(spec, nowMillis));
        if (directory == null || !Files.exists(directory.resolve(FILE))) {
            return;
        }
        Path file = directory.resolve(FILE);
        try {
            for (Map.Entry<String, JsonNode> each :
                    Json.parseObject(Files.readAllBytes(file)).properties()) {
                restore(each.getKey(), each.getValue(), registry, nowMillis);
            }
            LOG.info(
                    "Knows {} actions of the gateway before, which was killed",
                    registry.all().size());
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("Cannot read {}, so that actions must be registered anew: {}", file, e.toString());
        }
    }

    private static void restore(String name, JsonNode body, ActionRegistry registry, long nowMillis) {
        try {
            registry.restore(ActionJson.read(name, (ObjectNode) body, Optional.empty()), nowMillis);
        } catch (IllegalArgumentException | ClassCastException e) {
            LOG.warn("Action {} was registered before and cannot be now: {}", name, e.getMessage());
        }
    }

    /** Keeps what is registered now. */
    void keep(Collection<RegisteredAction> actions) {
        if (directory == null) {
            return;
        }
        ObjectNode all = Json.object();
        actions.forEach(each -> all.set(each.spec().name(), ActionJson.write(each.spec())));
        try {
            Path draft = Files.createTempFile(directory, FILE, ".new");
            Files.write(draft, Json.bytes(all));
            Files.move(draft, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("Cannot keep the registered actions in {}: {}", directory, e.toString());
            forget();
        }
    }

    /** Forgets what was kept: the gateway ends in order. */
    void forget() {
        if (directory != null) {
            try {
                Files.deleteIfExists(directory.resolve(FILE));
            } catch (IOException e) {
                LOG.warn("Cannot remove the registered actions from {}: {}", directory, e.toString());
            }
        }
    }
}
