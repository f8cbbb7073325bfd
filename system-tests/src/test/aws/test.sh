# Sourced by ./lambdafs test --aws: AWS without AWS. Needs python3 with pip, and npm for the template; versions are in requirements.txt.

test_template() { # the template is what aws-setup synthesises
    local work=$ROOT/target/aws-setup name
    if ! has npm; then say "skipped: is the template what aws-setup/app.js makes? (no npm)"; return 0; fi
    mkdir -p "$work"
    cp "$ROOT"/aws-setup/package*.json "$ROOT"/aws-setup/app.js "$work/"
    (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund >&2 && node app.js "$work" >&2) ||
        fail "the templates cannot be synthesised"
    for name in lambdafs bench; do
        cmp "$work/$name.template.json" "$ROOT/aws-setup/$name.template.json" ||
            fail "aws-setup/$name.template.json is not what aws-setup/app.js makes: run npm run synth there"
    done
}

test_aws() {
    local tools=$ROOT/target/aws-tools
    "$ROOT/system-tests/src/test/aws/tools.sh" "$tools" >&2 || fail "moto and cfn-lint cannot be installed: python3 with venv and pip, and the way to its packages, are needed"
    test_template
    need_build_tools
    (cd "$ROOT" && LAMBDAFS_AWS_TOOLS=$tools/bin mvn -q -B test -pl deploy/aws -am -Dtest='StacksTest,LambdaPlatformTest,ImageArchiveTest,TemplateLintTest' \
        -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip=true) || fail "the tests on moto's AWS fail"
    say "stacks and functions were made and removed on moto's AWS; the template is what aws-setup makes, and cfn-lint finds no fault"
}
