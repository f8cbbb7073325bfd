package io.lambdafs.deploy;

import io.lambdafs.model.Nearest;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The kinds of platform that this program knows. Stateless. */
public final class Platforms {
    private Platforms() {}

    /** Their names. */
    public static Set<String> names() {
        return providers().keySet();
    }

    private static Map<String, PlatformProvider> providers() {
        Map<String, PlatformProvider> found = new TreeMap<>();
        ServiceLoader.load(PlatformProvider.class).forEach(each -> found.put(each.name(), each));
        return found;
    }

    /**
     * Opens one.
     *
     * @throws DeployFailure there is none of that name, or the target makes no sense
     */
    public static Platform open(String name, Target target) {
        Map<String, PlatformProvider> known = providers();
        PlatformProvider provider = known.get(name);
        if (provider == null) {
            throw unknown("no platform \"" + name + "\"", name, known.keySet());
        }
        for (String key : target.options().keySet()) {
            if (!provider.options().contains(key)) {
                throw unknown("the platform " + name + " has no option \"" + key + "\"", key, provider.options());
            }
        }
        return provider.open(target);
    }

    private static DeployFailure unknown(String what, String given, Set<String> known) {
        String near = Nearest.of(given, known)
                .map(each -> ": did you mean " + each + "? ")
                .orElse(". ");
        return new DeployFailure(
                Problem.Code.CONFIGURATION, what + near + "There are: " + String.join(", ", new TreeSet<>(known)));
    }
}
