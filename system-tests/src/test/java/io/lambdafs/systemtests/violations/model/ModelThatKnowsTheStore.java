package io.lambdafs.systemtests.violations.model;

import io.lambdafs.systemtests.violations.store.SignatureThatShowsAFramework;

/** The model depends on nothing. */
public record ModelThatKnowsTheStore(Class<?> type) {
    /** Names the store. */
    public boolean isStore() {
        return type == SignatureThatShowsAFramework.class;
    }
}
