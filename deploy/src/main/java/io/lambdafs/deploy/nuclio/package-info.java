/** Deploys functions on Nuclio through its dashboard's API. */
@NullMarked
package io.lambdafs.deploy.nuclio;

import org.jspecify.annotations.NullMarked;
