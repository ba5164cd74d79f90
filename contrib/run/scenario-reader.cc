/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "run-notes.h"

#include "ns3/ack-bypass.h"
#include "ns3/aggregation-driver.h"
#include "ns3/atp-worker.h"
#include "ns3/fabric-net-device.h"
#include "ns3/global-value.h"
#include "ns3/host-balancer.h"
#include "ns3/message-application.h"
#include "ns3/message-service.h"
#include "ns3/parameter-server.h"
#include "ns3/path-label-balancer.h"
#include "ns3/simulator-impl.h"
#include "ns3/slot-stage.h"
#include "ns3/string.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-forwarder.h"
#include "ns3/switch-port-net-device.h"
#include "ns3/switchml-stage.h"
#include "ns3/switchml-worker.h"
#include "ns3/training-driver.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Makes a FabricScenario of a command line.
class ScenarioReader
{
  public:
    ScenarioReader()
        : m_table(
              "ai-fabric-run",
              "Runs one scenario on a RoCE fabric and leaves run.json, flows.csv, links.csv,\n"
              "layers.csv, queues.csv and events.csv in a folder. Sizes take B, kB, MB, GB, TB,\n"
              "KiB, MiB, GiB, TiB; times ps, ns, us, ms, s; rates Mb/s, Gb/s, Tb/s.")
    {
        m_table.Add(ListRows());
        ReservePolicyAttributes(m_table);
    }

    /// Read a command line.  @param config what a file gives beside it
    /// @return the scenario; nothing, if the user was only answered
    std::optional<FabricScenario> Read(const std::vector<std::string>& arguments,
                                       const RunConfig& config)
    {
        m_table.Parse(arguments, config.GetOptions());
        try
        {
            return ReadOptions();
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(m_table.NameOrigin(error.what()));
        }
    }

  private:
    /// Read the options.  @return the scenario; nothing, if the user was only answered
    std::optional<FabricScenario> ReadOptions()
    {
        m_scenario.given = ListGiven(m_table);
        if (PrintSets(m_table, std::cout))
        {
            return std::nullopt;
        }
        ApplySets(m_table);
        if (PrintsPolicies())
        {
            return std::nullopt;
        }
        NoteGiven();
        CheckGlobals(); // policies that are asked may have random variables, which need a good seed
        ReadShape(m_table, m_scenario);
        if (PrintsLinks(m_table, m_scenario))
        {
            return std::nullopt;
        }
        for (SectionReader* const read : {ReadLinks,
                                          ReadTraffic,
                                          ReadBackground,
                                          ReadTransport,
                                          ReadBuffers,
                                          ReadBalancing,
                                          ReadMarking,
                                          ReadFailures,
                                          ReadObservation,
                                          ReadRun,
                                          CheckShape,
                                          ReadJob,
                                          CheckBackground,
                                          CheckReads,
                                          CheckFluid,
                                          FindFluidClass,
                                          ReadSimulator,
                                          ReadExtent})
        {
            read(m_table, m_scenario);
        }
        CheckAttributes();
        CheckParts();
        if (m_scenario.HasSumsAlone())
        {
            for (const char* const name : {"jitter",
                                           "steering",
                                           "rateControl",
                                           "transport",
                                           "recovery",
                                           "ackPolicy",
                                           "sendOrder",
                                           "receiverAdmission",
                                           "ackTimeout"})
            {
                m_scenario.options[name] = nullptr;
            }
        }
        if (m_table.Get("stack") == AUTO)
        {
            m_scenario.options["stack"] = FindStack(m_scenario);
        }
        NoteWritten();
        m_scenario.inputs = DescribeInputs(m_table, m_scenario);
        ReadWriteConfig();
        return std::move(m_scenario);
    }

    /// Note paths for run.json as they were written, not as they were opened.
    void NoteWritten()
    {
        for (const OptionTable::Option& option : m_table.GetOptions())
        {
            const auto noted = m_scenario.options.find(option.row.name);
            if (option.isGiven && noted != m_scenario.options.end() && *noted == option.value)
            {
                *noted = option.noted;
            }
        }
    }

    /// Read where the options are to be written.
    void ReadWriteConfig()
    {
        const std::string option = "writeConfig";
        const std::string& path = m_table.Get(option);
        if (path == NONE)
        {
            return;
        }
        std::error_code error;
        OptionError::ThrowIf(std::filesystem::path(path).extension() != ".toml" ||
                                 std::filesystem::exists(path, error),
                             option,
                             path,
                             "a file that is not there yet and whose name ends in .toml");
        m_scenario.configPath = path;
        m_scenario.configText = WriteOptions(m_table, m_scenario.given, path);
    }

    /// @return whether a list of policies was asked for; it has been printed then
    bool PrintsPolicies() const
    {
        bool printed = false;
        for (const auto& entry : PolicyKinds())
        {
            if (m_table.Get(entry.first) == "help")
            {
                PrintChoices(std::cout, entry.first);
                printed = true;
            }
        }
        return printed;
    }

    /// Note for run.json what was given. Sections replace what they find more out about.
    void NoteGiven()
    {
        for (const OptionTable::Option& option : m_table.GetOptions())
        {
            m_scenario.options[option.row.name] = option.value;
        }
        for (const auto& [name, value] : m_table.GetAttributes())
        {
            m_scenario.attributes[name] = value;
        }
        for (const std::string& name : HOW)
        {
            m_scenario.options.erase(name);
        }
        for (const char* const name : {"RngSeed", "RngRun"})
        {
            m_scenario.attributes.erase(name); // run.json has them elsewhere
        }
        m_scenario.options["attributes"] = m_scenario.attributes;
    }

    /// Refuse seeds that ns-3's generator cannot take, and simulators that are none.
    static void CheckGlobals()
    {
        constexpr uint64_t MAX_SEED = 4294944442; // less than both moduli of ns-3's generator
        UintegerValue seed;
        GlobalValue::GetValueByName("RngSeed", seed);
        OptionError::ThrowIf(seed.Get() < 1 || seed.Get() > MAX_SEED,
                             "RngSeed",
                             std::to_string(seed.Get()),
                             "1 to " + std::to_string(MAX_SEED));
        StringValue implementation;
        GlobalValue::GetValueByName("SimulatorImplementationType", implementation);
        TypeId type;
        OptionError::ThrowIf(!TypeId::LookupByNameFailSafe(implementation.Get(), &type) ||
                                 !type.IsChildOf(SimulatorImpl::GetTypeId()),
                             "SimulatorImplementationType",
                             implementation.Get(),
                             "a subclass of ns3::SimulatorImpl");
    }

    /// Refuse attributes of policies that do not take part.
    void CheckAttributes() const
    {
        const std::vector<TypeId> used = FindUsedPolicies();
        for (const auto& [attribute, value] : m_scenario.attributes)
        {
            TypeId type;
            if (!TypeId::LookupByNameFailSafe(attribute.substr(0, attribute.rfind("::")), &type) ||
                std::any_of(used.begin(), used.end(), [&type](TypeId policy) {
                    return policy == type || policy.IsChildOf(type);
                }))
            {
                continue; // a global value, or a policy that takes part
            }
            for (const auto& [option, kind] : PolicyKinds())
            {
                if (std::any_of(kind.bases.begin(), kind.bases.end(), [&type](TypeId base) {
                        return type == base || type.IsChildOf(base);
                    }))
                {
                    throw OptionError(attribute,
                                      value,
                                      "has no effect with --" + option + "=" + m_table.Get(option));
                }
            }
        }
    }

    /// Refuse attributes of other classes that do not take part.
    void CheckParts() const
    {
        const bool isInNetwork = m_scenario.aggregation.has_value();
        const bool hasSumsAlone = m_scenario.HasSumsAlone();
        const std::string system = isInNetwork ? m_scenario.aggregation->algorithm : "";
        const bool hasPool = system == "switchml";
        const bool hasServer = isInNetwork && !hasPool;
        const std::string inNetwork = "only with --algorithm=atp, switchml or esa";
        const std::string server = "only with --algorithm=atp or esa";
        const std::string pool = "only with --algorithm=switchml";
        const std::string preempting = "only with --algorithm=esa";
        const std::string never = "this program has none of these";

        struct Part
        {
            TypeId type;
            bool isThere;
            std::string why;
            std::set<std::string> names; // of attributes; empty: all
        };

        const std::vector<Part> parts = {
            {AggregationMember::GetTypeId(), isInNetwork, inNetwork, {}},
            {AggregationStage::GetTypeId(), isInNetwork, inNetwork, {}},
            {AtpWorker::GetTypeId(), hasServer, server, {}},
            {ParameterServer::GetTypeId(), hasServer, server, {}},
            {SlotStage::GetTypeId(), hasServer, server, {}},
            {SwitchMlWorker::GetTypeId(), hasPool, pool, {}},
            {SwitchMlStage::GetTypeId(), hasPool, pool, {}},
            {AggregationDriver::GetTypeId(),
             system == "esa" && m_scenario.HasSumJobs(),
             preempting,
             {}},
            {SlotStage::GetTypeId(), system == "esa", preempting, {"Ageing", "Refresh"}},
            {TrainingDriver::GetTypeId(),
             m_scenario.training.has_value(),
             "only with collectives and training",
             {}},
            {MessageService::GetTypeId(),
             !hasSumsAlone,
             "not with in-network aggregation, which has no messages",
             {}},
            {AckBypass::GetTypeId(), !m_scenario.acksInFabric, "only with --acks=bypass", {}},
            {MessageApplication::GetTypeId(), false, never, {}},
            {FabricNetDevice::GetTypeId(), false, never, {}},
            {SwitchPortNetDevice::GetTypeId(), false, never, {}}};
        for (const auto& [attribute, value] : m_scenario.attributes)
        {
            const std::size_t colon = attribute.rfind("::");
            for (const Part& part : parts)
            {
                const bool isPart = attribute.compare(0, colon, part.type.GetName()) == 0;
                const bool isNamed =
                    part.names.empty() || part.names.count(attribute.substr(colon + 2));
                OptionError::ThrowIf(isPart && isNamed && !part.isThere,
                                     attribute,
                                     value,
                                     part.why);
            }
        }
    }

    /// @return the policies that take part: those chosen, and those that they name
    std::vector<TypeId> FindUsedPolicies() const
    {
        std::vector<TypeId> used = {m_scenario.balancer,
                                    m_scenario.steering,
                                    m_scenario.rateControl,
                                    m_scenario.transport,
                                    m_scenario.recovery,
                                    m_scenario.ackPolicy,
                                    m_scenario.sendOrder,
                                    m_scenario.admission,
                                    m_scenario.forwarding,
                                    m_scenario.scheduler};
        if (m_scenario.marker)
        {
            used.push_back(*m_scenario.marker);
        }
        for (const std::optional<TypeId>& other : {m_scenario.upgrade, m_scenario.stage})
        {
            if (other)
            {
                used.push_back(*other);
            }
        }
        for (const TypeId& stage : {SlotStage::GetTypeId(), SwitchMlStage::GetTypeId()})
        {
            used.push_back(stage); // CheckParts() knows whether they are
        }
        if (MakePolicy<SwitchForwarder>(m_scenario.forwarding)->ObeysHosts())
        {
            used.push_back(PathLabelBalancer::GetTypeId());
        }
        const std::set<TypeId> algorithms = FindUsedAlgorithms();
        used.insert(used.end(), algorithms.begin(), algorithms.end());
        for (const auto& entry : m_scenario.collectives.protocolByName)
        {
            used.push_back(entry.second);
        }
        if (m_scenario.balancer.IsChildOf(HostBalancer::GetTypeId()))
        {
            used.push_back(MakePolicy<HostBalancer>(m_scenario.balancer)->GetSwitchBalancer());
        }
        else if (m_scenario.graph->Planes() > 1)
        {
            used.push_back(MakePolicy<SwitchBalancer>(m_scenario.balancer)->GetHostBalancer());
        }
        for (std::size_t i = 0; i < used.size(); ++i) // policies name others by attributes
        {
            for (std::size_t j = 0; j < used[i].GetAttributeN(); ++j)
            {
                const Ptr<const AttributeValue> value = used[i].GetAttribute(j).initialValue;
                const auto* named = dynamic_cast<const TypeIdValue*>(PeekPointer(value));
                if (named && std::find(used.begin(), used.end(), named->Get()) == used.end())
                {
                    used.push_back(named->Get());
                }
            }
        }
        return used;
    }

    /// @return the algorithms of the collectives
    std::set<TypeId> FindUsedAlgorithms() const
    {
        const CollectiveDefaults& defaults = m_scenario.collectives;
        std::set<TypeId> used;
        if (!m_scenario.training)
        {
            return used;
        }
        for (const WorkloadProgram& program : m_scenario.training->programs)
        {
            for (const WorkloadNode& node : program)
            {
                if (node.kind == WorkloadNode::Kind::COLLECTIVE)
                {
                    used.insert(node.algorithm.empty() ? defaults.algorithm
                                                       : defaults.byName.at(node.algorithm));
                }
            }
        }
        return used;
    }

    OptionTable m_table;       //!< the options
    FabricScenario m_scenario; //!< what they say
};

} // namespace

std::vector<OptionRow>
ListRows()
{
    std::vector<OptionRow> all;
    for (const OptionGroup* group : {&SET_ROWS,
                                     &TOPOLOGY_ROWS,
                                     &LINK_ROWS,
                                     &WORKLOAD_ROWS,
                                     &CHAKRA_ROWS,
                                     &COLLECTIVE_ROWS,
                                     &ALGORITHM_ROWS,
                                     &AGGREGATION_ROWS,
                                     &TRAFFIC_ROWS,
                                     &BACKGROUND_ROWS,
                                     &FORWARDING_ROWS,
                                     &BALANCING_ROWS,
                                     &TRANSPORT_ROWS,
                                     &FAILURE_ROWS,
                                     &JOB_ROWS,
                                     &RUN_ROWS,
                                     &PAUSE_ROWS,
                                     &OBSERVATION_ROWS})
    {
        for (const OptionRow& row : group->rows)
        {
            all.push_back(row);
            all.back().heading = group->heading;
        }
    }
    return all;
}

std::optional<FabricScenario>
ReadScenario(const std::vector<std::string>& arguments, const RunConfig& config)
{
    return ScenarioReader().Read(arguments, config);
}

} // namespace aifabric
} // namespace ns3
