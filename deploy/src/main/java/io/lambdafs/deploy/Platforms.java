package io.lambdafs.deploy;

import io.lambdafs.model.Nearest;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the platforms known to this program. Stateless. */
public final class Platforms {
    private Platforms() {}

    /** Returns their names. */
    public static Set<String> names() {
        return providers().keySet();
    }

    /** Returns whether a platform has an option. */
    static boolean hasOption(String name, String key) {
        PlatformProvider provider = providers().get(name);
        return provider != null && provider.options().contains(key);
    }

    private static Map<String, PlatformProvider> providers() {
        Map<String, PlatformProvider> found = new TreeMap<>();
        ServiceLoader.load(PlatformProvider.class).forEach(each -> found.put(each.name(), each));
        return found;
    }

    /**
     * Opens a platform.
     *
     * @throws DeployFailure if the name is unknown or the target invalid
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
        String offline = target.option(Target.OFFLINE, "false");
        if (!offline.matches("true|false")) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION, "the option offline is true or false, not \"" + offline + "\"");
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
