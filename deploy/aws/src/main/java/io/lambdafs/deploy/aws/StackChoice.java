package io.lambdafs.deploy.aws;

import io.lambdafs.model.FsException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a stack. Immutable.
 *
 * @param name name of the stack and prefix of its parts' names
 * @param region any of AWS's
 * @param endpoint address for all services; null for AWS's own
 * @param parameters given parameters of the template; others have its defaults
 * @param tags tags of everything in the stack, in addition to {@code lambdafs.io/cluster}
 */
public record StackChoice(
        String name, String region, @Nullable URI endpoint, Map<String, String> parameters, Map<String, String> tags) {
    public static final String CLUSTER_TAG = "lambdafs.io/cluster";

    public StackChoice {
        check(
                name.matches("[a-z]([a-z0-9-]{0,30}[a-z0-9])?"),
                "the name must be lower-case letters, digits and hyphens, at most 32, not \"" + name + "\"");
        check(
                region.matches("[a-z]{2}(-[a-z]+)+-[0-9]"),
                region.isEmpty()
                        ? "no region is given: give --region or set AWS_REGION"
                        : "there is no region \"" + region + "\"");
        parameters = Map.copyOf(parameters);
        tags = Map.copyOf(tags);
    }

    /** Returns all tags. */
    public Map<String, String> allTags() {
        Map<String, String> all = new TreeMap<>(tags);
        all.put(CLUSTER_TAG, name);
        return all;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw FsException.invalidArgument(otherwise);
        }
    }
}
